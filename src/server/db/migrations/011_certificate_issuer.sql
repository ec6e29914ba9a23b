-- Person or organisation that issues the certificates of a quiz; null means that they name none.

alter table quizzes add column certificate_issuer text;
